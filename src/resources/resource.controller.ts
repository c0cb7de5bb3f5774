import {
  Body,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Res,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../config/config.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { Access, type AccessRule } from '../security/access.guard.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { type AttributeDescription, describeAttributes } from './attributes/describe-attributes.js';
import type { WriteHooks } from './write/pending-write.js';
import { setETag } from './revision-etag.js';
import { answerList, type ListCall, ListOf } from './list/list-of.decorator.js';
import { type Detailed, ResourceReader } from './resource-reader.js';
import { type Change, ResourceWriter } from './write/resource-writer.js';
import type { Resource } from './resource.js';
import { uriOf } from './uri.js';

type Representation = Record<string, unknown>;

/** What every resource's controller can do. */
export interface ResourceController {
  reader: ResourceReader;
  writer: ResourceWriter;
  /** What the resource adds to the common way of writing. */
  rules: WriteHooks;
  list(call: ListCall): Promise<Representation[]>;
  describe(caller: Caller): AttributeDescription[];
  get(caller: Caller, id: string, response: Response): Promise<Representation>;
}

const bases = new Map<Resource, Type<ResourceController>>();

/** The controller of a resource among the instances of an application. */
export function controllerOf(
  resource: Resource,
  instances: unknown[],
): ResourceController | undefined {
  const base = bases.get(resource);
  return base && instances.find((instance) => instance instanceof base);
}

/**
 * The routes that all resources share (docs/api-contract.md#resources). A controller extends
 * the class that this makes; routes of its own win over `:id`.
 */
export function resourceController(resource: Resource): Type<ResourceController> {
  const mayCreateOrDelete: AccessRule<ResourceController> = ({ writer, rules }, caller) =>
    writer.authorize({ resource, rules, caller });
  const mayChange: AccessRule<ResourceController> = ({ writer, rules }, caller, { id }) =>
    writer.authorize({ resource, rules, caller }, id);

  class Controller implements ResourceController {
    @Inject(ResourceReader) reader!: ResourceReader;
    @Inject(ResourceWriter) writer!: ResourceWriter;
    @Inject(Config) config!: Config;
    rules: WriteHooks = {};

    @Get()
    @AnyParameters()
    list(@ListOf(resource) call: ListCall): Promise<Representation[]> {
      return answerList(this.reader, resource, call);
    }

    /** Stands before `:id`, which would otherwise take its path. */
    @Get('attributes')
    describe(@CurrentCaller() caller: Caller): AttributeDescription[] {
      return describeAttributes(resource, caller);
    }

    @Get(':id')
    async get(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      return show(await this.reader.get(resource, caller, id), response);
    }

    @Post()
    @Access(mayCreateOrDelete)
    async create(
      @CurrentCaller() caller: Caller,
      @CurrentAuditContext() auditContext: AuditContext,
      @Body() body: unknown,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      const created = await this.writer.create(this.change(caller, auditContext), body);
      const uri = uriOf(resource.ref.uri, created.representation.id);
      response.setHeader('Location', `${this.config.env.BASE_PATH}/api/v2${uri}`);
      return show(created, response);
    }

    @Put(':id')
    @Access(mayChange)
    async replace(
      @CurrentCaller() caller: Caller,
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Body() body: unknown,
      @Headers('if-match') ifMatch: string | undefined,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      const change = this.change(caller, auditContext, ifMatch);
      return show(await this.writer.replace(change, id, body), response);
    }

    @Patch(':id')
    @Access(mayChange)
    async patch(
      @CurrentCaller() caller: Caller,
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Body() body: unknown,
      @Headers('if-match') ifMatch: string | undefined,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      const change = this.change(caller, auditContext, ifMatch);
      return show(await this.writer.patch(change, id, body), response);
    }

    @Delete(':id')
    @Access(mayCreateOrDelete)
    @HttpCode(204)
    async delete(
      @CurrentCaller() caller: Caller,
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Headers('if-match') ifMatch: string | undefined,
    ): Promise<void> {
      await this.writer.delete(this.change(caller, auditContext, ifMatch), id);
    }

    private change(caller: Caller, auditContext: AuditContext, ifMatch?: string): Change {
      return { resource, rules: this.rules, caller, auditContext, ifMatch };
    }
  }
  bases.set(resource, Controller);
  return Controller;
}

function show({ representation, revision }: Detailed, response: Response): Representation {
  setETag(response, revision);
  return representation;
}
