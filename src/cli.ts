#!/usr/bin/env node
import { makeProgram } from './command-line/program.js';
import { startServer } from './bootstrap.js';

await makeProgram(startServer).parseAsync();
