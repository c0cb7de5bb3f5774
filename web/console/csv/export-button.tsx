import { type ReactNode, useState } from 'react';
import { Button } from '@mui/material';
import { useListContext, useNotify, useResourceContext } from 'react-admin';
import { type Filters, filterParameters } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { downloadCsv } from './download.js';
import { exportRows, MOST_EXPORTED } from './export-rows.js';

/** Exports the list, with its present filters and order, as a file that can be imported again. */
export function ExportButton({ icon }: { icon: ReactNode }) {
  const texts = useTexts();
  const notify = useNotify();
  const notifyError = useNotifyError();
  const resource = useResourceContext()!;
  const list = useListContext();
  const { sort } = list;
  /** The finished fraction of the file, from 0 to 1. */
  const [part, setPart] = useState<number>();
  const save = async () => {
    setPart(0);
    try {
      const rows = await exportRows(
        resource,
        {
          sorter: `${sort.order === 'DESC' ? '-' : ''}${sort.field}`,
          ...filterParameters(list.filterValues as Filters),
        },
        setPart,
      );
      if (rows) await downloadCsv(`${resource}.csv`, rows);
      else notify(texts('export.long', { max: MOST_EXPORTED }), { type: 'error' });
    } catch (error) {
      notifyError(error);
    }
    setPart(undefined);
  };
  return (
    <Button startIcon={icon} disabled={part !== undefined} onClick={() => void save()}>
      {texts('export')}
      {part !== undefined && ` ${Math.floor(100 * part)} %`}
    </Button>
  );
}
