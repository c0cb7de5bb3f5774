import {
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Res,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Config } from '../../base/config/config.js';
import type { PatchOperation } from '../../base/json-patch/parse-patch.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { Access, type AccessRule, NamesInPath } from '../../security/access.guard.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import {
  type AttributeDescription,
  describeAttributes,
} from '../attributes/describe-attributes.js';
import { ChangeOf } from './change-of.decorator.js';
import { JsonPatchPipe } from './json-patch.pipe.js';
import type { Change, RowChange } from '../write/pending-write.js';
import type { WriteHooks } from '../write/write-hooks.js';
import { IdPipe } from './id.pipe.js';
import { setETag } from './set-etag.js';
import { setWarnings } from './set-warnings.js';
import { answerList } from './answer-list.js';
import { List } from './list.pipe.js';
import type { ListPlan } from '../list/plan-list.js';
import { type Detailed, ResourceReader } from '../resource-reader.js';
import { ResourceWriter } from '../write/resource-writer.js';
import type { Resource } from '../resource.js';
import { uriOf } from '../uri.js';

type Representation = Record<string, unknown>;

/** The routes and hooks of every resource's controller. */
export interface ResourceController {
  reader: ResourceReader;
  writer: ResourceWriter;
  /** The steps that the resource adds to every write. */
  hooks: WriteHooks;
  list(plan: ListPlan, response: Response): Promise<Representation[]>;
  describe(caller: Caller): AttributeDescription[];
  get(caller: Caller, id: string, response: Response): Promise<Representation>;
  replace(change: RowChange, body: unknown, response: Response): Promise<Representation>;
  patch(
    change: RowChange,
    operations: PatchOperation[],
    response: Response,
  ): Promise<Representation>;
}

/** Metadata key of a controller's resource. */
export const RESOURCE = 'resource';

/** Metadata key of the resource that a controller with routes of its own lists. */
export const LISTED_RESOURCE = 'listed-resource';

const reflector = new Reflector();

/** The resources that controllers serve or only list. */
export const servedBy = (controllers: Type[]): Resource[] =>
  controllers.flatMap(
    (controller) =>
      reflector.get<Resource | undefined>(RESOURCE, controller) ??
      reflector.get<Resource | undefined>(LISTED_RESOURCE, controller) ??
      [],
  );

/**
 * Makes the base class with the routes that all resources share (docs/api-contract.md#resources). The routes
 * of the controller that extends it win over `:id`.
 */
export function resourceController(resource: Resource): Type<ResourceController> {
  const mayCreate: AccessRule<ResourceController> = ({ writer, hooks }, caller) =>
    writer.authorize({ resource, caller }, 'create', hooks);
  const mayDelete: AccessRule<ResourceController> = ({ writer, hooks }, caller, { id }) =>
    writer.authorizeDeletion({ resource, caller, id: id! }, hooks);
  const mayChange: AccessRule<ResourceController> = ({ writer, hooks }, caller, { id }) =>
    writer.authorize({ resource, caller, id }, 'change', hooks);

  @SetMetadata(RESOURCE, resource)
  class Controller implements ResourceController {
    @Inject(ResourceReader) reader!: ResourceReader;
    @Inject(ResourceWriter) writer!: ResourceWriter;
    @Inject(Config) config!: Config;
    hooks: WriteHooks = {};

    @Get()
    @AnyParameters()
    list(
      @List(resource) plan: ListPlan,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation[]> {
      return answerList(this.reader, plan, response);
    }

    /** Declared before `:id`, which would otherwise match its path. */
    @Get('attributes')
    describe(@CurrentCaller() caller: Caller): AttributeDescription[] {
      return describeAttributes(resource, caller);
    }

    @Get(':id')
    async get(
      @CurrentCaller() caller: Caller,
      @Param('id', IdPipe) id: string,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      return show(await this.reader.get(resource, caller, id), response);
    }

    @Post()
    @Access(mayCreate)
    async create(
      @ChangeOf(resource) change: Change,
      @Body() body: unknown,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      const created = await this.writer.create(change, this.hooks, body);
      const uri = uriOf(resource.ref.uri, created.representation.id);
      response.setHeader('Location', `${this.config.env.BASE_PATH}/api/v2${uri}`);
      return show(created, response);
    }

    @Put(':id')
    @Access(mayChange)
    async replace(
      @ChangeOf(resource) change: RowChange,
      @Body() body: unknown,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      return show(await this.writer.replace(change, this.hooks, body), response);
    }

    @Patch(':id')
    @Access(mayChange)
    async patch(
      @ChangeOf(resource) change: RowChange,
      @Body(JsonPatchPipe) operations: PatchOperation[],
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      return show(await this.writer.patch(change, this.hooks, operations), response);
    }

    @Delete(':id')
    @Access(mayDelete)
    @HttpCode(204)
    async delete(
      @ChangeOf(resource) change: RowChange,
      @Res({ passthrough: true }) response: Response,
    ): Promise<void> {
      setWarnings(response, await this.writer.delete(change, this.hooks));
    }
  }
  if (resource.hasNames) namesInPath({ id: resource })(Controller);
  return Controller;
}

/** Lets the routes of a controller take names in the parameters of their paths that are ids of these resources. */
export const namesInPath = (resources: Record<string, Resource>): ClassDecorator =>
  NamesInPath(
    Object.fromEntries(
      Object.entries(resources).map(([parameter, resource]) => [
        parameter,
        (modules, caller, name) =>
          modules.get(ResourceReader, { strict: false }).idOfName(resource, caller, name),
      ]),
    ),
  );

function show(
  { representation, revision, warnings = [] }: Detailed,
  response: Response,
): Representation {
  setETag(response, revision);
  setWarnings(response, warnings);
  return representation;
}
