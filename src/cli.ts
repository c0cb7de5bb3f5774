#!/usr/bin/env node
import { tolerateClosedOutput } from './command-line/closed-output.js';
import { makeProgram } from './command-line/program.js';

tolerateClosedOutput();
await makeProgram(async () => (await import('./bootstrap.js')).startServer()).parseAsync();
