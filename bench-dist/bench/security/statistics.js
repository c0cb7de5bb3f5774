/**
 * The area under the ROC curve by the Mann-Whitney U statistic: the chance that a value of `b` is
 * above one of `a`; 0.5 where they cannot be told apart.
 */
export function areaUnderCurve(a, b) {
    const all = [
        ...a.map((value) => ({ value, b: false })),
        ...b.map((value) => ({ value, b: true })),
    ];
    all.sort((x, y) => x.value - y.value);
    let ranks = 0;
    for (let at = 0; at < all.length;) {
        let end = at;
        while (end < all.length && all[end].value === all[at].value)
            end++;
        // Ties share the mean of their ranks.
        const rank = (at + 1 + end) / 2;
        for (; at < end; at++)
            if (all[at].b)
                ranks += rank;
    }
    return (ranks - (b.length * (b.length + 1)) / 2) / (a.length * b.length);
}
/** The upper tail of the chi-squared distribution (Wilson-Hilferty approximation). */
export function chiSquaredTail(statistic, degrees) {
    const spread = 2 / (9 * degrees);
    const z = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / Math.sqrt(spread);
    // Abramowitz and Stegun 26.2.17
    const t = 1 / (1 + 0.2316419 * Math.abs(z));
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const tail = density *
        t *
        (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z >= 0 ? tail : 1 - tail;
}
/** The value below which a share of the values lies. */
export function quantile(values, share) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
//# sourceMappingURL=statistics.js.map