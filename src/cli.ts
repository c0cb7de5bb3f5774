#!/usr/bin/env node
import { tolerateClosedOutput } from './command-line/closed-output.js';
import { makeProgram } from './command-line/program.js';
import { startServer } from './bootstrap.js';

tolerateClosedOutput();
await makeProgram(startServer).parseAsync();
