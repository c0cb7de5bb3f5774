import { describe, expect, it } from '@jest/globals';
import { csvHeader, csvLines, readCsv, UnreadableFile } from './csv.js';

/** Reads a text that arrives in pieces of some length. */
async function read(text: string, size: number): Promise<[line: number, ...cells: string[]][]> {
  const records: [line: number, ...cells: string[]][] = [];
  for await (const { line, cells } of readCsv(piecesOf(text, size))) records.push([line, ...cells]);
  return records;
}

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size)
    yield await Promise.resolve(text.slice(at, at + size));
}

describe('readCsv', () => {
  it.each<[string, string, [number, ...string[]][]]>([
    [
      'cells and an end without a line end',
      'a,b\n1,2',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'carriage returns',
      'a,b\r\n1,2\r\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'empty cells',
      'a,,\n,x,\n',
      [
        [1, 'a', '', ''],
        [2, '', 'x', ''],
      ],
    ],
    [
      'empty lines, and lines of empty cells, as none',
      'a\n\n,\nb\n',
      [
        [1, 'a'],
        [4, 'b'],
      ],
    ],
    [
      'quotes',
      'a,"b, ""c"""\n"",x\n',
      [
        [1, 'a', 'b, "c"'],
        [2, '', 'x'],
      ],
    ],
    [
      'line ends in quotes',
      'a,"b\nc\r\nd"\ne,f\n',
      [
        [1, 'a', 'b\nc\r\nd'],
        [4, 'e', 'f'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
      ],
    ],
    [
      'semicolons in a file of commas',
      'a,b\n1;5,2\n',
      [
        [1, 'a', 'b'],
        [2, '1;5', '2'],
      ],
    ],
    ['blanks, which are kept', ' a , b\n', [[1, ' a ', ' b']]],
    [
      'tabs',
      'a\tb\n1,5\t2\n',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,b\n', [[1, 'a', 'b']]],
    ['escaped formulas', "'=1,''=2,'b,-3\n", [[1, '=1', "'=2", "'b", '-3']]],
    ['nothing', '', []],
  ])('reads %s', async (_, text, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, size)).toEqual(expected);
  });

  it.each([
    ['a,b\n1,"2\n3,4\n', 'line 2: a quote is not closed'],
    ['a,b\n1,"2"x\n', 'line 2: a quoted cell has to end with a quote before the separator'],
    [
      'a,b\n1,"' + 'x'.repeat(1_000_001),
      'line 2: longer than 1000000 characters; is a quote not closed?',
    ],
    ['a\n1"2\n', 'line 2: a cell with a quote in it has to be quoted, and the quote doubled'],
    ['a\n"1\r\n2"\n"3', 'line 4: a quote is not closed'],
  ])('stops at %j', async (text, message) => {
    await expect(read(text, text.length)).rejects.toThrow(new UnreadableFile(message));
  });

  it('reads the lines of csvLines back unchanged', async () => {
    const cells = ['a', '', 'b,c', '"', 'd\r\ne', ' f ', ';', 'é', '=1', '+49 30', "'@x", '-5'];
    expect(await read(csvHeader(['x', 'y']) + csvLines([cells]), 7)).toEqual([
      [1, 'x', 'y'],
      [2, ...cells],
    ]);
  });
});

describe('csvLines', () => {
  it('writes nothing that a spreadsheet would run, and whole numbers as they are', () => {
    expect(csvLines([['=1', '+33 1', '-7', '-x', '@a', '＝1', 'b']])).toBe(
      "'=1,'+33 1,-7,'-x,'@a,'＝1,b\r\n",
    );
  });
});
