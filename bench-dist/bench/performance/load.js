import autocannon from 'autocannon';
export const CONNECTIONS = 16;
/**
 * Loads a server over 16 connections that are kept.
 * @param amount of requests; without it `seconds` count
 * @throws Error when an answer is no success
 */
export async function load(port, requests, { seconds = 3, amount } = {}) {
    const result = await autocannon({
        url: `http://127.0.0.1:${port}`,
        connections: CONNECTIONS,
        ...(amount === undefined ? { duration: seconds } : { amount }),
        requests,
    });
    const failed = result.non2xx + result.errors + result.timeouts;
    if (failed > 0)
        throw new Error(`${failed} of ${result.requests.total} answers are no success`);
    return {
        rate: result.requests.total / result.duration,
        p50: result.latency.p50,
        p99: result.latency.p99,
    };
}
/** @param subjects each answers the run of one turn */
export async function compareByTurns(subjects, pairs) {
    // Warm: plans, caches and compiled code.
    await subjects.ours();
    await subjects.other();
    const ours = [];
    const other = [];
    for (let pair = 0; pair < pairs; pair++) {
        ours.push(await subjects.ours());
        other.push(await subjects.other());
    }
    return {
        ours: medianRun(ours),
        other: medianRun(other),
        ratios: ours.map(({ rate }, pair) => rate / other[pair].rate),
    };
}
const medianRun = (runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    p50: median(runs.map(({ p50 }) => p50)),
    p99: median(runs.map(({ p99 }) => p99)),
});
export function median(numbers) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
}
//# sourceMappingURL=load.js.map