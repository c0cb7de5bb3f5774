import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The contract names a test for each of its statements; renaming or deleting such a test breaks the page. */

const page = readFileSync('docs/api-contract.md', 'utf8');
const proofPage = readFileSync('docs/conformance.md', 'utf8');

/** Cells of the rows of all tables whose head ends with these columns. */
function rowsOf(columns: string): string[][] {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const tables = [...proofPage.matchAll(/^(\|.*\|)\n\|[ |-]*\|\n((?:\|.*\|\n)+)/gm)];
  return tables
    .filter(([, head = '']) => `| ${cells(head).join(' | ')}`.endsWith(`| ${columns}`))
    .flatMap(([, , body = '']) => body.trim().split('\n').map(cells));
}

const proofs = rowsOf('spec | test').map((row) => ({ spec: row.at(-2)!, title: row.at(-1)! }));

/** Whether the source passes the whole title to `describe` or `it`. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    source.replace(/\(\s+/g, '(').includes(`(${quote}${title}${quote}`),
  );

describe('the statements of the interface', () => {
  it('are 65, each with a verdict, and a note where the verdict says so', () => {
    const statements = rowsOf('today | spec | test').filter(([, statement]) => statement !== '');
    expect(statements.map(([number]) => Number(number))).toEqual(
      Array.from({ length: 65 }, (_, at) => at + 1),
    );
    for (const [number, , verdict] of statements)
      expect([number, verdict]).toEqual([number, expect.stringMatching(/^holds( with a note)?$/)]);
    expect(rowsOf('# | note').map(([number]) => number)).toEqual(
      statements.filter(([, , verdict]) => verdict!.endsWith('note')).map(([number]) => number),
    );
  });
});

describe('a statement of the contract', () => {
  it.each(proofs)('is proved by $spec: $title', ({ spec, title }) => {
    const file = `${spec.startsWith('src/') ? '' : 'test/'}${spec}.spec.ts`;
    expect([file, existsSync(file)]).toEqual([file, true]);
    expect([file, title, hasTitle(readFileSync(file, 'utf8'), title)]).toEqual([file, title, true]);
  });

  it('has its proof in a table that this test reads', () => {
    const lines = proofPage.split('\n').filter((line) => line.startsWith('| '));
    const heads = lines.filter((line) => /^\| -+ /.test(line));
    const notes = rowsOf('# | note');
    expect(proofs.length + notes.length + 2 * heads.length).toBe(lines.length);
  });
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
  .filter((file) => file !== 'test/docs/api-contract.spec.ts')
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
