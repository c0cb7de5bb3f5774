import { startServer } from './start-server.js';
await startServer();
//# sourceMappingURL=main.js.map