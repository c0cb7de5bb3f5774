import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./seed.actions.js');

/** `seed` */
export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('migrate, then apply own seeds and the demonstration portal, each part once')
    .option('--folder <folder>', 'own seeds; SEEDS_FOLDER without it')
    .option('--demo', 'the demonstration portal, as DEMO_DATA=true does, into an empty database')
    .action(action(load, 'seed'));
}
