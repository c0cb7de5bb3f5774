import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { conflict } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { providers } from '../directory/provider.resource.js';
import { filled } from '../http/body-rules.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import {
  atLeast,
  flag,
  listOf,
  orNull,
  text,
  textOrNull,
  texts,
} from '../resources/openapi/schemas.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { directoryOf } from './directory.js';
import { DirectoryUnreadable } from './ldap-connection.js';
import { type ServerTest, STEPS, testConnection } from './test-connection.js';
import { type TestedEntry, testPerson } from './test-person.js';

const whole = { type: 'integer', minimum: 0 };

const CONNECTION_TEST = namedSchema('DirectoryConnectionTest', {
  ...atLeast({
    servers: listOf(
      atLeast({
        url: text,
        step: { enum: STEPS },
        message: textOrNull,
        ...{ people: orNull(whole), groups: orNull(whole) },
        ...{ hasMorePeople: flag, hasMoreGroups: flag, milliseconds: whole },
      }),
    ),
  }),
  examples: [
    {
      servers: [
        {
          ...{ url: 'ldaps://ldap.example.org', step: 'done', message: null, milliseconds: 48 },
          ...{ people: 500, hasMorePeople: true, groups: 42, hasMoreGroups: false },
        },
      ],
    },
  ],
});

const PERSON_TEST = namedSchema('DirectoryPersonTest', {
  ...atLeast({
    entries: listOf(
      atLeast({
        dn: text,
        attributes: listOf(
          atLeast({
            ...texts('name'),
            values: listOf(text),
            ...{ isBinary: flag, isCut: flag, isSecret: flag },
          }),
        ),
        values: { type: 'object' },
        action: { enum: ['create', 'update', 'skip', 'none'] },
        ...{ reason: textOrNull, user: textOrNull },
        ...{ before: { type: 'object' }, after: { type: 'object' } },
      }),
    ),
  }),
  examples: [
    {
      entries: [
        {
          dn: 'uid=ada,ou=people,dc=example,dc=org',
          attributes: [
            { name: 'uid', values: ['ada'], isBinary: false, isCut: false, isSecret: false },
          ],
          ...{ values: { login: 'ada' }, action: 'create', reason: 'is new in the directory' },
          ...{ user: null, before: {}, after: { login: 'ada' } },
        },
      ],
    },
  ],
});

/** Longest login of a test, in characters. */
const MAX_LOGIN = 250;

/** `POST /directory/providers/{id}/person-test` */
export class PersonTestDto {
  /** As the directory has it. */
  @filled(MAX_LOGIN)
  login!: string;
}

/** Tests of an LDAP provider, which write nothing (docs/ldap.md#tests). */
@Controller('api/v2/directory/providers/:id')
@namesInPath({ id: providers })
export class DirectoryTestsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly config: Config,
  ) {}

  @ApiOperation({
    operationId: 'testProviderConnection',
    tag: 'Providers',
    summary: 'Try each server of an LDAP provider: reach it, bind, and read a page',
    answer: CONNECTION_TEST,
    errors: [409],
  })
  @Post('connection-test')
  @RequirePermission('providers:change')
  @HttpCode(200)
  async testConnection(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<{ servers: ServerTest[] }> {
    await this.reader.get(providers, caller, id);
    const { settings, password } = await directoryOf(this.reader.database, this.config, id);
    return { servers: await testConnection(settings, password) };
  }

  @ApiOperation({
    operationId: 'testProviderPerson',
    tag: 'Providers',
    summary: 'Show the entries of a login in an LDAP directory, and what a run would do with them',
    answer: PERSON_TEST,
    errors: [409],
  })
  @Post('person-test')
  @RequirePermission('providers:change')
  @HttpCode(200)
  async testPerson(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(FixedBodyPipe) { login }: PersonTestDto,
  ): Promise<{ entries: TestedEntry[] }> {
    await this.reader.get(providers, caller, id);
    const directory = await directoryOf(this.reader.database, this.config, id);
    try {
      return { entries: await testPerson(this.config, directory, login) };
    } catch (error) {
      if (!(error instanceof DirectoryUnreadable)) throw error;
      throw conflict(reason('directory-unreadable', { why: error.message }));
    }
  }
}
