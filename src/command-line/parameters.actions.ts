import { SecurityModule } from '../security/security.module.js';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';
import {
  describeParameter,
  type ParameterDefinition,
  PARAMETERS,
  typedValue,
} from '../security/parameters/parameter-definitions.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

export const list = (options: PrintOptions): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const values = await server.get(ParametersService).current();
    const rows = Object.values<ParameterDefinition>(PARAMETERS).map((definition) =>
      rowOf(server, definition, values.textOf(definition)),
    );
    print(rows, options);
  });

export const get = (key: string, options: PrintOptions): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const definition = definitionOf(server, key);
    const text = (await server.get(ParametersService).current()).textOf(definition);
    print([rowOf(server, definition, text)], options, text);
  });

export const set = (key: string, value: string, options: PrintOptions): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const definition = definitionOf(server, key);
    await server.get(ParameterWriterService).set(definition, value, server.auditContext);
    const row = rowOf(server, definition, value);
    print([row], options, `${row.key} = ${value}`);
  });

const rowOf = ({ get: getService }: Server, definition: ParameterDefinition, text: string) => ({
  key: getService(ParameterWriterService).fullKey(definition),
  value: typedValue(definition.type, text),
  description: describeParameter(definition),
});

/** @throws CommandError for an unknown parameter */
function definitionOf({ get: getService }: Server, key: string): ParameterDefinition {
  const service = getService(ParameterWriterService);
  const found = Object.values<ParameterDefinition>(PARAMETERS).find(
    (one) => one.key === key || service.fullKey(one) === key,
  );
  if (!found) throw new CommandError(`there is no parameter ${key}: see parameters list`);
  return found;
}
