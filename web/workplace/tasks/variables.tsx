import type { TaskDetailed } from '../../api-client/types.js';
import {
  columnsOf,
  isPlain,
  isTable,
  kindOfText,
  numberText,
  type Row,
} from '../../theme/variables.js';
import { Details, outside } from '../components/details.js';
import { useLanguage } from '../translations/i18n.js';

/** What the process says about a task, by the labels of its engine. */
export function Variables({ variables }: { variables: TaskDetailed['variables'] }) {
  const { t } = useLanguage();
  if (!variables || variables.length === 0) return null;
  return (
    <section className="card" aria-label={t('task.variables')}>
      <Details
        details={variables.map(({ label, value }) => [label, <Value key="value" value={value} />])}
      />
    </section>
  );
}

/** A value of any kind: lists of objects as a table, other nested values as JSON. */
function Value({ value }: { value: unknown }) {
  const { t, locale, day, moment } = useLanguage();
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return numberText(value, locale);
  if (typeof value === 'string') {
    const kind = kindOfText(value);
    if (kind === 'day') return day(`${value}T12:00`);
    if (kind === 'moment') return moment(value);
    if (kind === 'address') return <a {...outside(value)}>{value}</a>;
    return <span className="prose">{value}</span>;
  }
  if (isTable(value)) return <Table rows={value} />;
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ');
  return <code className="json">{JSON.stringify(value, undefined, 2)}</code>;
}

function Table({ rows }: { rows: Row[] }) {
  const columns = columnsOf(rows);
  return (
    <div className="values">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={column}>
                  <Value value={row[column] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
