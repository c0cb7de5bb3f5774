import type { Command } from 'commander';
import { Config } from '../config/config.js';
import { DEMO_HISTORY } from '../database/migrate.js';
import { applySeeds } from '../transfer/seeds.js';
import { action } from './action.js';
import { migrateAll } from './migrate.commands.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { commandLine, withDatabase } from './with-server.js';

/** `seed` */
export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('migrate, then apply own seeds and the demonstration portal, each part once')
    .option('--folder <folder>', 'own seeds; SEEDS_FOLDER without it')
    .option('--demo', 'the demonstration portal, as DEMO_DATA=true does, into an empty database')
    .option('--json', 'print JSON')
    .action(action(seed));
}

interface SeedOptions extends PrintOptions {
  demo?: boolean;
  folder?: string;
}

const seed = ({ demo = false, folder, ...options }: SeedOptions): Promise<void> =>
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
