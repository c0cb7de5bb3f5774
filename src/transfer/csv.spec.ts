import { describe, expect, it } from '@jest/globals';
import { csvLine, CsvReader } from './csv.js';

/** Reads a text in pieces of some length. */
function read(text: string, size: number): [line: number, ...cells: string[]][] {
  const reader = new CsvReader();
  const records = [];
  for (let at = 0; at < text.length; at += size)
    records.push(...reader.read(text.slice(at, at + size)));
  records.push(...reader.end());
  return records.map(({ line, cells }) => [line, ...cells]);
}

describe('CsvReader', () => {
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
      'a,,\n,,\n',
      [
        [1, 'a', '', ''],
        [2, '', '', ''],
      ],
    ],
    [
      'empty lines',
      'a\n\n\nb\n',
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
  ])('reads %s', (_, text, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(read(text, size)).toEqual(expected);
  });

  it.each([
    ['a,b\n1,"2\n3,4\n', 'line 2: a quote is not closed'],
    ['a,b\n1,"2"x\n', 'line 2: a quoted cell has to end with a quote before ,'],
    [
      'a,b\n1,"' + 'x'.repeat(1_000_001),
      'line 2: longer than 1000000 characters; is a quote not closed?',
    ],
  ])('stops at %j', (text, message) => {
    expect(() => read(text, text.length)).toThrow(message);
  });

  it('reads what csvLine writes', () => {
    const cells = ['a', '', 'b,c', '"', 'd\r\ne', ' f ', ';', 'é', '=1'];
    expect(read(csvLine(['x', 'y']) + csvLine(cells), 7)).toEqual([
      [1, 'x', 'y'],
      [2, ...cells],
    ]);
  });
});
