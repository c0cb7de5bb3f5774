import { Config } from '../base/config/config.js';
import { DEMO_HISTORY } from '../database/migrate.js';
import { applySeeds } from '../transfer/seeds.js';
import { migrateAll } from './migrate.actions.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { commandLine, withDatabase } from './with-database.js';

interface SeedOptions extends PrintOptions {
  demo?: boolean;
  folder?: string;
}

export const seed = ({ demo = false, folder, ...options }: SeedOptions): Promise<void> =>
  withDatabase(async (config) => {
    const own = folder ?? config.env.SEEDS_FOLDER;
    if (!demo && own === undefined) throw new Misuse('nothing to seed: use --folder or --demo');
    const environment = { ...config.env, DEMO_DATA: config.env.DEMO_DATA || demo };
    const migrated = await migrateAll(new Config(environment, config.database));
    const rows = migrated
      .filter(({ history }) => history === DEMO_HISTORY)
      .map(({ name }) => ({ seed: name, state: 'applied' }));
    const seeds = own === undefined ? [] : await applySeeds(config, own, commandLine());
    print([...rows, ...seeds.map(({ file, state }) => ({ seed: file, state }))], options);
  });
