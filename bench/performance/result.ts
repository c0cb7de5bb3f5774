import { max, median, min } from 'simple-statistics';
import type { Comparison } from './load.js';

/** One line of the report. */
export interface Result {
  work: string;
  /** The measured value, without its unit. */
  value: number;
  unit: string;
  /** The value with its unit and context, as text. */
  figure: string;
  goal: string;
  met: boolean;
}

/** A ratio of two rates that must be at least `goal`. */
export function ratioResult(
  work: string,
  against: string,
  goal: number,
  { ours, other, ratios }: Comparison,
): Result {
  const value = median(ratios);
  return {
    work,
    value,
    unit: `of ${against}`,
    figure:
      `${value.toFixed(2)} (${spreadOf(ratios)}) of ${against}: ${rate(ours.rate)} against ${rate(other.rate)} a second; ` +
      `p50 ${ours.p50} ms, p99 ${ours.p99} ms`,
    goal: `at least ${goal}`,
    met: value >= goal,
  };
}

/** A figure to compare others with, without a goal. */
export const withoutGoal = (work: string, value: number, unit: string, more = ''): Result => ({
  ...withFigure(work, value, unit, more),
  goal: 'none',
  met: true,
});

/** A figure that must be at most `goal`. */
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
});

/** A figure that must be at least `goal`. */
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
});

const withFigure = (work: string, value: number, unit: string, more: string) => ({
  work,
  value,
  unit,
  figure: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}${more && `; ${more}`}`,
});

/** The smallest and the largest of several ratios. */
export const spreadOf = (ratios: number[]): string =>
  `${min(ratios).toFixed(2)} to ${max(ratios).toFixed(2)}`;

export const rate = (value: number): string => Math.round(value).toLocaleString('en');

export function printResult({ work, figure, goal, met }: Result): void {
  process.stdout.write(
    `${met ? 'met   ' : 'MISSED'} ${work}\n         ${figure}\n         goal: ${goal}\n`,
  );
}
