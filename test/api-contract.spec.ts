import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The contract names a test for each of its statements; renaming or deleting such a test breaks the page. */

const page = readFileSync('docs/api-contract.md', 'utf8');

interface Row {
  number: number;
  statement: string;
  verdict: string;
  spec: string;
  title: string;
}

/** Rows of the section `heading` whose first cell matches: a number, unless something else is given. */
function rowsOf(heading: string, first = /^\| \d+ /): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`);
  return section
    .split(/\n##/, 1)[0]!
    .split('\n')
    .filter((line) => first.test(line))
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

/** Whether the source passes the whole title to `describe` or `it`. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    source.replace(/\(\s+/g, '(').includes(`(${quote}${title}${quote}`),
  );

function expectProof({ spec, title }: { spec: string; title: string }): void {
  const file = `test/${spec}.spec.ts`;
  expect([file, existsSync(file)]).toEqual([file, true]);
  expect([file, title, hasTitle(readFileSync(file, 'utf8'), title)]).toEqual([file, title, true]);
}

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

  it.each(rows)('$number is proved by $spec: $title', expectProof);
});

describe('the additions to the contract', () => {
  const [, , ...table] = rowsOf('## Additions and their proof', /^\| /);
  const additions = table.map(([, spec = '', title = '']) => ({ spec, title }));

  it.each(additions)('are proved by $spec: $title', expectProof);
});

const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

describe('the page of the contract', () => {
  it('links only to sections that it has', () => {
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(14);
    expect(links.filter((anchor) => !anchors.includes(anchor!))).toEqual([]);
  });
});

/** Every source with its text; this file names the citations that it forbids. */
const sources = ['bench', 'migrations', 'scripts', 'src', 'test', 'web']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  .filter((file) => file !== 'test/api-contract.spec.ts')
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The first group of each match in the sources, after the name of its file. */
const cited = (pattern: RegExp): [file: string, citation: string][] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, citation = '']): [string, string] => [file, citation]),
  );

describe('a comment in the sources', () => {
  it('cites only sections that the contract has', () => {
    const citations = cited(/api-contract\.md#([\w-]*)/g);
    expect(citations.length).toBeGreaterThan(90);
    expect(citations.filter(([, anchor]) => !anchors.includes(anchor))).toEqual([]);
  });

  it('cites only decisions that exist', () => {
    const numbers = readdirSync('docs/decisions').map((file) => file.slice(0, 4));
    const citations = cited(/\bdecisions?[ /](\d{4})/g);
    expect(citations.length).toBeGreaterThan(9);
    expect(citations.filter(([, number]) => !numbers.includes(number))).toEqual([]);
  });

  it('cites no document from outside the repository', () => {
    expect(cited(/((?:\(|\/\*\* )(?:interface|decisions):.*)/g)).toEqual([]);
  });
});
