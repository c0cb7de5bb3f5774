/** One line a goal, for people. */
export const printRow = ({ id, goal, figure, met }) => {
    process.stdout.write(`${met ? 'met   ' : 'MISSED'} ${id.padEnd(4)} ${goal}\n            ${figure}\n`);
};
/** Measures one goal; what goes wrong on the way is a missed goal, not the end of the report. */
export async function measure({ id, goal }, report, work) {
    try {
        report({ id, goal, ...(await work()) });
    }
    catch (error) {
        report({ id, goal, figure: `failed: ${String(error)}`, met: false });
    }
}
/** A number of rounds at a scale, at least one. */
export const rounds = (full, scale) => Math.max(1, Math.round(full * scale));
//# sourceMappingURL=row.js.map