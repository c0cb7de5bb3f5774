import { errorFunction, wilcoxonRankSum } from 'simple-statistics';

/**
 * The area under the ROC curve by the Mann-Whitney U statistic: the probability that a value of `b` exceeds
 * one of `a`; 0.5 when the two are indistinguishable.
 */
export function areaUnderCurve(a: number[], b: number[]): number {
  const u = wilcoxonRankSum(b, a) - (b.length * (b.length + 1)) / 2;
  return u / (a.length * b.length);
}

/** The upper tail of the chi-squared distribution (Wilson-Hilferty approximation). */
export function chiSquaredTail(statistic: number, degrees: number): number {
  const spread = 2 / (9 * degrees);
  const z = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / Math.sqrt(spread);
  return (1 - errorFunction(z / Math.SQRT2)) / 2;
}
