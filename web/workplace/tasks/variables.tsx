import type { TaskDetailed } from '../../api-client/types.js';
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

type Row = Record<string, unknown>;

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const WEB_ADDRESS = /^https?:\/\/\S+$/;

/** A value of any kind: lists of objects as a table, other nested values as JSON. */
function Value({ value }: { value: unknown }) {
  const { t, locale, day, moment } = useLanguage();
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value);
  if (typeof value === 'string') {
    if (ISO_DAY.test(value) && !isNaN(Date.parse(value))) return day(`${value}T12:00`);
    if (ISO_MOMENT.test(value) && !isNaN(Date.parse(value))) return moment(value);
    if (WEB_ADDRESS.test(value)) return <a {...outside(value)}>{value}</a>;
    return <span className="prose">{value}</span>;
  }
  if (isTable(value)) return <Table rows={value} />;
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ');
  return <code className="json">{JSON.stringify(value, undefined, 2)}</code>;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const isRow = (value: unknown): boolean =>
  !isPlain(value) && !Array.isArray(value) && Object.values(value as Row).every(isPlain);

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => isRow(row));

function Table({ rows }: { rows: Row[] }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // The database does not keep the order of names: texts say what the numbers beside them are.
  const isNumeric = (name: string) => Number(rows.some((row) => typeof row[name] === 'number'));
  const columns = names.sort((a, b) => isNumeric(a) - isNumeric(b));
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
