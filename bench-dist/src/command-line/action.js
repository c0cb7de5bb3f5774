import { explain } from './output.js';
/** Runs a command; what goes wrong is one line on standard error and exit code 1. */
export function action(work) {
    return async (...args) => {
        try {
            await work(...args);
        }
        catch (error) {
            process.stderr.write(`${explain(error)}\n`);
            process.exitCode = 1;
        }
    };
}
//# sourceMappingURL=action.js.map