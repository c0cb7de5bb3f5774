import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newPositions, type Placed } from '../../../web/console/reorder/positions.js';
import { CsvError } from '../../../src/base/csv/dialect.js';
import { decode, parseCsv, writeCsv } from '../../../web/console/csv/csv.js';

const cellsOf = (text: string): string[][] => parseCsv(text).map(({ cells }) => cells);

describe('parseCsv', () => {
  it.each<[what: string, text: string, rows: string[][]]>([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a separator in a quoted heading',
      '"a;b;c",d\n1,2',
      [
        ['a;b;c', 'd'],
        ['1', '2'],
      ],
    ],
    [
      'a byte order mark',
      '\uFEFFa,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR LF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes', 'a\n"x ""y"", z"', [['a'], ['x "y", z']]],
    [
      'breaks in quotes',
      'a,b\n"1\n2",3',
      [
        ['a', 'b'],
        ['1\n2', '3'],
      ],
    ],
    [
      'empty cells',
      'a,b\n,\n"",x',
      [
        ['a', 'b'],
        ['', 'x'],
      ],
    ],
    ['blank lines', 'a\n\n1\n\n', [['a'], ['1']]],
    ['escaped formulas', "a\n'=1+1\n'tis", [['a'], ['=1+1'], ["'tis"]]],
    ['nothing', '', []],
  ])('reads %s', (_, text, rows) => {
    expect(cellsOf(text)).toEqual(rows);
  });

  it('knows the line where each row begins', () => {
    expect(parseCsv('a\n"1\r\n2\n3"\n\n4').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  it.each([
    ['a\n"open', 2],
    ['a\n1\n"x"y', 3],
  ])('says from which line on %j cannot be read', (text, line) => {
    expect(() => parseCsv(text)).toThrow(CsvError);
    expect(() => parseCsv(text)).toThrow(`line ${line}`);
  });
});

describe('writeCsv', () => {
  it('leaves nothing that a spreadsheet would run, and numbers as they are', () => {
    expect(writeCsv([['=1', '+33 1', '-7', '-x', '@a', 'b']])).toBe(
      "\uFEFF'=1,'+33 1,-7,'-x,'@a,b\r\n",
    );
  });

  it('writes rows that parseCsv reads back unchanged', () => {
    const cell = fc
      .array(fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '=', '-', '@', "'", ' ', '5'))
      .map((letters) => letters.join(''));
    // The first cell has a letter, because a row of blanks is ignored.
    const row = fc.tuple(
      cell.map((text) => `x${text}`),
      cell,
      cell,
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const table = [['one', 'two', 'three'], ...rows];
        expect(cellsOf(writeCsv(table))).toEqual(table);
      }),
    );
  });
});

describe('decode', () => {
  it.each([
    ['UTF-8', Buffer.from('Chloé')],
    ['windows-1252', Buffer.from([67, 104, 108, 111, 0xe9])],
  ])('reads %s', (_, bytes) => {
    expect(decode(Uint8Array.from(bytes).buffer)).toBe('Chloé');
  });
});

describe('newPositions', () => {
  const apply = (ordered: Placed[]): Placed[] => {
    const changed = new Map(newPositions(ordered).map(({ id, position }) => [id, position]));
    return ordered.map(({ id, position }) => ({ id, position: changed.get(id) ?? position }));
  };

  it('moves one among others by their own positions', () => {
    const ordered = [
      { id: 'c', position: 30 },
      { id: 'a', position: 10 },
      { id: 'b', position: 20 },
    ];
    expect(apply(ordered).map(({ position }) => position)).toEqual([10, 20, 30]);
  });

  it('leaves an order as it is', () => {
    expect(
      newPositions([
        { id: 'a', position: 1 },
        { id: 'b', position: 5 },
      ]),
    ).toEqual([]);
  });

  it('makes every order one of rising positions', () => {
    const positions = fc.array(fc.integer({ min: -3, max: 12 }));
    fc.assert(
      fc.property(positions, (given) => {
        const placed = apply(given.map((position, at) => ({ id: String(at), position })));
        for (let at = 1; at < placed.length; at++)
          expect(placed[at]!.position).toBeGreaterThan(placed[at - 1]!.position);
      }),
    );
  });
});
