import { SeedDemoDirectory1795219300000 } from './1795219300000-seed-demo-directory.js';
import { SeedDemoPortal1795219301000 } from './1795219301000-seed-demo-portal.js';
import { SeedDemoTasks1795219302000 } from './1795219302000-seed-demo-tasks.js';
import { SeedDemoContent1795219303000 } from './1795219303000-seed-demo-content.js';
import { SeedDemoPhotos1795219304000 } from './1795219304000-seed-demo-photos.js';

/** The demonstration portal (DEMO_DATA), in a history of its own. */
export const demoMigrations = [
  SeedDemoDirectory1795219300000,
  SeedDemoPortal1795219301000,
  SeedDemoTasks1795219302000,
  SeedDemoContent1795219303000,
  SeedDemoPhotos1795219304000,
];
