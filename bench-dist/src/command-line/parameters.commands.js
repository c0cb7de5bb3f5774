import { typedValue } from '../administration/parameter.resource.js';
import { ServerParametersService } from '../administration/server-parameters.service.js';
import { PARAMETERS } from '../security/parameter-definitions.js';
import { ParametersService } from '../security/parameters.service.js';
import { action } from './action.js';
import { print } from './output.js';
import { withServer } from './with-server.js';
/** `parameters list|get|set` */
export function addParameterCommands(program) {
    const parameters = program.command('parameters').description('server parameters');
    parameters
        .command('list')
        .description('every parameter with its value')
        .option('--json', 'print JSON')
        .action(action((options) => list(options)));
    parameters
        .command('get')
        .argument('<key>', 'with or without com.<vendor>.')
        .description('the value of one parameter')
        .action(action(get));
    parameters
        .command('set')
        .argument('<key>', 'with or without com.<vendor>.')
        .argument('<value>')
        .description('set a parameter; running servers follow within a second')
        .action(action(set));
}
const list = (options) => withServer(async (server) => {
    const values = await server.get(ParametersService).current();
    const rows = Object.values(PARAMETERS).map((definition) => ({
        key: server.get(ServerParametersService).fullKey(definition),
        value: typedValue(definition.type, values.textOf(definition)),
        description: definition.description,
    }));
    print(rows, options);
});
const get = (key) => withServer(async (server) => {
    const definition = definitionOf(server, key);
    const values = await server.get(ParametersService).current();
    process.stdout.write(`${values.textOf(definition)}\n`);
});
const set = (key, value) => withServer(async (server) => {
    const definition = definitionOf(server, key);
    const service = server.get(ServerParametersService);
    await service.set(definition, value, server.origin);
    process.stdout.write(`${service.fullKey(definition)} = ${value}\n`);
});
function definitionOf({ get: getService }, key) {
    const service = getService(ServerParametersService);
    const short = Object.values(PARAMETERS).find((one) => one.key === key);
    return short ?? service.definitionOf(key);
}
//# sourceMappingURL=parameters.commands.js.map