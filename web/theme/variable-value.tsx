import type { ReactNode } from 'react';
import { dateFormats, languageTag } from './dates.js';
import { columnsOf, isPlain, isTable, kindOfText, numberText, type Row } from './variables.js';

/** The language of a page, and its words for true and false. */
export interface ValueWords {
  locale: string;
  yes: string;
  no: string;
}

interface Shown {
  words: ValueWords;
}

/**
 * The value of a variable, of any kind: lists of flat objects as a table, other nested values as JSON. The pages style
 * `prose`, `values` and `json`.
 */
export function VariableValue({ value, words }: Shown & { value: unknown }): ReactNode {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return numberText(value, languageTag(words.locale));
  if (typeof value === 'string') return <TextValue text={value} words={words} />;
  if (isTable(value)) return <Table rows={value} words={words} />;
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ') || '–';
  return <code className="json">{JSON.stringify(value, undefined, 2)}</code>;
}

function TextValue({ text, words }: Shown & { text: string }): ReactNode {
  const { day, moment } = dateFormats(words.locale);
  const kind = kindOfText(text);
  if (kind === 'day') return day(`${text}T12:00`);
  if (kind === 'moment') return moment(text);
  if (kind === 'address')
    return (
      <a href={text} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  return <span className="prose">{text}</span>;
}

function Table({ rows, words }: Shown & { rows: Row[] }): ReactNode {
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
                  <VariableValue value={row[column] ?? null} words={words} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
