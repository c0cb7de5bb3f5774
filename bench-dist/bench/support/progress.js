const BAR = 30;
/** @param total what `done` reaches at the end */
export function progress(step, total) {
    const { isTTY } = process.stderr;
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    if (!isTTY)
        return {
            update: () => undefined,
            end: () => process.stderr.write(`${step}: ${total} in ${seconds()}\n`),
        };
    const draw = (done) => {
        const filled = Math.round((BAR * done) / total);
        const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
        process.stderr.write(`\r${step} ${bar} ${done}/${total} ${seconds()} `);
    };
    draw(0);
    return {
        update: draw,
        end: () => {
            draw(total);
            process.stderr.write('\n');
        },
    };
}
//# sourceMappingURL=progress.js.map