import { writeFileSync } from 'node:fs';
import type { Comparison } from './load.js';
import { median } from './load.js';

/** One line of the report. */
export interface Result {
  work: string;
  /** What was measured, in words. */
  figure: string;
  goal: string;
  met: boolean;
  /** Measured by allowed (or the other way round), so that 1 and more is met; drawn in the picture. */
  share: number;
}

/** A ratio of two rates that has to be at least `goal`. */
export function ratioResult(
  work: string,
  against: string,
  goal: number,
  { ours, other, ratios }: Comparison,
): Result {
  const ratio = median(ratios);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return {
    work,
    figure:
      `${ratio.toFixed(2)} (${spread}) of ${against}: ${rate(ours.rate)} against ${rate(other.rate)} a second; ` +
      `p50 ${ours.p50} ms, p99 ${ours.p99} ms`,
    goal: `at least ${goal}`,
    met: ratio >= goal,
    share: ratio / goal,
  };
}

/** A figure that may be at most `goal`. */
export const atMost = (
  work: string,
  value: number,
  goal: number,
  unit: string,
  more = '',
): Result => ({
  ...withFigure(work, value, unit, more),
  goal: `at most ${goal} ${unit}`,
  met: value <= goal,
  share: goal / Math.max(value, Number.MIN_VALUE),
});

/** A figure that has to be at least `goal`. */
export const atLeast = (
  work: string,
  value: number,
  goal: number,
  unit: string,
  more = '',
): Result => ({
  ...withFigure(work, value, unit, more),
  goal: `at least ${goal} ${unit}`,
  met: value >= goal,
  share: value / goal,
});

const withFigure = (work: string, value: number, unit: string, more: string) => ({
  work,
  figure: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}${more && `; ${more}`}`,
});

export const rate = (value: number): string => Math.round(value).toLocaleString('en');

export function printResult({ work, figure, goal, met }: Result): void {
  process.stdout.write(
    `${met ? 'met   ' : 'MISSED'} ${work}\n         ${figure}\n         goal: ${goal}\n`,
  );
}

/** Growth of one kind of read. */
export interface Growth {
  work: string;
  /** Answers a second by number of users. */
  rates: Record<number, number>;
}

const ROW = 26;
const LEFT = 330;
const WIDTH = 900;
/** Bars longer than this many times the goal are cut. */
const MOST = 2;

/** A picture of how far each goal is reached, and of what a hundredfold of rows costs. */
export function writePicture(file: string, results: Result[], growth: Growth[]): void {
  const unit = (WIDTH - LEFT - 70) / MOST;
  const bars = results.map(({ work, share, met }, at) => {
    const y = 60 + at * ROW;
    const width = Math.min(share, MOST) * unit;
    return (
      text(LEFT - 10, y + 14, work, 'end') +
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 8}" rx="3" fill="${met ? '#2f7d4f' : '#b3423a'}"/>` +
      text(LEFT + width + 6, y + 14, share.toFixed(2), 'start')
    );
  });
  const below = 60 + results.length * ROW + 40;
  const most = Math.max(...growth.flatMap(({ rates }) => Object.values(rates)), 1);
  const lines = growth.flatMap(({ work, rates }, at) =>
    Object.entries(rates).map(([rows, value], step) => {
      const y = below + 20 + (at * 2 + step) * (ROW - 6);
      const width = (value / most) * unit * MOST;
      return (
        text(LEFT - 10, y + 12, `${work}, ${Number(rows).toLocaleString('en')} users`, 'end') +
        `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 12}" rx="3" fill="${step ? '#7a93b8' : '#3d5a87'}"/>` +
        text(LEFT + width + 6, y + 12, `${rate(value)}/s`, 'start')
      );
    }),
  );
  const goal = LEFT + unit;
  const height = below + 40 + growth.length * 2 * (ROW - 6);
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#ffffff"/>
${text(20, 30, 'Measured by goal: the line is the goal, green reaches it', 'start', 16)}
${bars.join('\n')}
<line x1="${goal}" x2="${goal}" y1="50" y2="${60 + results.length * ROW}" stroke="#444" stroke-dasharray="4 3"/>
${text(20, below, 'Answers a second, with few and with many users', 'start', 16)}
${lines.join('\n')}
</svg>
`,
  );
}

const text = (x: number, y: number, content: string, anchor: string, size = 13): string =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" font-size="${size}" fill="#222">${content.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`;
