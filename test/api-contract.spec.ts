import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** The page of the contract names a test for each of its statements; renaming or deleting one breaks the page. */

const page = readFileSync('docs/api-contract.md', 'utf8');

interface Row {
  number: number;
  statement: string;
  verdict: string;
  spec: string;
  title: string;
}

/** Rows of the section `heading` whose first cell is a number. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`);
  return section
    .split(/\n##/, 1)[0]!
    .split('\n')
    .filter((line) => /^\| \d+ /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const rows: Row[] = rowsOf('## Statements and their proof').map(
  ([number, statement = '', verdict = '', spec = '', title = '']) => ({
    number: Number(number),
    statement,
    verdict,
    spec,
    title,
  }),
);
const statements = rows.filter(({ statement }) => statement !== '');

/** Whether the source passes the title, as a whole, to `describe` or `it`. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    source.replace(/\(\s+/g, '(').includes(`(${quote}${title}${quote}`),
  );

describe('the statements of the contract', () => {
  it('are 65, each with a verdict, and a note where the verdict says so', () => {
    expect(statements.map(({ number }) => number)).toEqual(
      Array.from({ length: 65 }, (_, at) => at + 1),
    );
    for (const { number, verdict } of statements)
      expect([number, verdict]).toEqual([number, expect.stringMatching(/^holds( with a note)?$/)]);
    expect(rowsOf('### Notes').map(([number]) => Number(number))).toEqual(
      statements.filter(({ verdict }) => verdict.endsWith('note')).map(({ number }) => number),
    );
  });

  it.each(rows)('$number is proved by $spec: $title', ({ spec, title }) => {
    const file = `test/${spec}.spec.ts`;
    expect([file, existsSync(file)]).toEqual([file, true]);
    expect([file, title, hasTitle(readFileSync(file, 'utf8'), title)]).toEqual([file, title, true]);
  });
});

describe('the page of the contract', () => {
  it('links only to sections that it has', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(14);
    expect(links.filter((anchor) => !anchors.includes(anchor!))).toEqual([]);
  });
});
