import { startServer } from './bootstrap.js';

await startServer();
