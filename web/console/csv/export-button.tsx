import { type ReactNode, useState } from 'react';
import { Button } from '@mui/material';
import { useListContext, useResourceContext } from 'react-admin';
import { type Filters, filterParameters } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { downloadCsv } from './download.js';
import { exportRows } from './export-rows.js';

/** The list as it is filtered and sorted by now, as a file that can be imported again. */
export function ExportButton({ icon }: { icon: ReactNode }) {
  const texts = useTexts();
  const notifyError = useNotifyError();
  const resource = useResourceContext()!;
  const list = useListContext();
  const { sort } = list;
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const rows = await exportRows(resource, {
        sorter: `${sort.order === 'DESC' ? '-' : ''}${sort.field}`,
        ...filterParameters(list.filterValues as Filters),
      });
      await downloadCsv(`${resource}.csv`, rows);
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <Button startIcon={icon} disabled={isBusy} onClick={() => void save()}>
      {texts('export')}
    </Button>
  );
}
