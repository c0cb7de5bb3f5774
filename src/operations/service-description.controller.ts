import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, texts } from '../resources/openapi/schemas.js';
import { Config } from '../base/config/config.js';
import { Public } from '../security/permission.guard.js';
import { PLATFORM_VERSION, VERSION } from '../base/config/version.js';

/** Name and version of this server (docs/api-contract.md#versioning). */
interface ServiceDescription {
  name: string;
  version: string;
  platformVersion: string;
  interfaces: { main: string; navigation: string; search: string };
}

const SERVICE = namedSchema(
  'Service',
  atLeast({
    ...texts('name', 'version', 'platformVersion'),
    interfaces: atLeast(texts('main', 'navigation', 'search')),
  }),
);

@Controller('api/v2')
export class ServiceDescriptionController {
  constructor(private readonly config: Config) {}

  @ApiOperation({
    operationId: 'getService',
    tag: 'Service',
    summary: 'Get the name, version and interfaces of this server',
    answer: SERVICE,
  })
  @Get()
  @Public()
  describe(): ServiceDescription {
    const { BASE_PATH } = this.config.env;
    return {
      name: 'Process Platform',
      version: VERSION,
      platformVersion: PLATFORM_VERSION,
      interfaces: {
        main: `${BASE_PATH}/api/v2`,
        navigation: `${BASE_PATH}/navigation/workplace`,
        search: `${BASE_PATH}/navigation/search/workplace`,
      },
    };
  }
}
