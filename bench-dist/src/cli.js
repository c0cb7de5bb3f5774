#!/usr/bin/env node
import { makeProgram } from './command-line/program.js';
await makeProgram().parseAsync();
//# sourceMappingURL=cli.js.map