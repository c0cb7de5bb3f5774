import { Command } from 'commander';
import { VERSION } from '../operations/version.js';
import { addAddressCommands } from './addresses.commands.js';
import { addParameterCommands } from './parameters.commands.js';
import { addTokenCommands } from './tokens.commands.js';
import { addUserCommands } from './users.commands.js';
/** The command line (decisions: Addresses): works while nobody can get in and the server is down. */
export function makeProgram() {
    const program = new Command('process-platform')
        .description('Administers the server through its database; reads the same variables as the server.')
        .version(VERSION)
        .showHelpAfterError();
    for (const add of [addParameterCommands, addAddressCommands, addUserCommands, addTokenCommands])
        add(program);
    return program;
}
//# sourceMappingURL=program.js.map