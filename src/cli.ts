#!/usr/bin/env node
import { makeProgram } from './command-line/program.js';
import { startServer } from './start-server.js';

await makeProgram(startServer).parseAsync();
