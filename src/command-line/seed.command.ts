import type { Command } from 'commander';
import { Config } from '../config/config.js';
import { action } from './action.js';
import { migrateAndSay } from './migrate.commands.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { withDatabase } from './with-server.js';

/** `seed` */
export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('fill the database; what is there already stays')
    .option('--demo', 'with the demonstration portal, as DEMO_DATA=true does')
    .option('--json', 'print JSON')
    .action(action(seed));
}

interface SeedOptions extends PrintOptions {
  demo?: boolean;
}

const seed = (options: SeedOptions): Promise<void> => {
  if (!options.demo) throw new Misuse('say what to seed: --demo');
  return withDatabase(async (config) => {
    const demonstration = new Config({ ...config.env, DEMO_DATA: true }, config.database);
    print(await migrateAndSay(demonstration), options);
  });
};
