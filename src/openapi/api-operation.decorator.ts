import { SetMetadata } from '@nestjs/common';
import type { Resource } from '../resources/resource.js';
import type { Component, Json, Schema } from './component.js';

/** What the document says of an operation, beside what the route itself tells (openapi/route.ts). */
export interface OperationDescription {
  /** Verb and noun in camelCase, e.g. `listUsers`: the name of the method in generated clients. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Parameters of the query and headers; those of the path are known. */
  parameters?: (Json | Component)[];
  body?: Schema;
  /** Schema of the body of success; none answers without a body. */
  answer?: Schema;
  /** Media type of the answer; JSON when missing. */
  answerType?: string;
  /** The resource of which it answers a page, instead of `answer`. */
  lists?: Resource;
  /** Its answer has an ETag; a GET then also answers 304 to If-None-Match. */
  hasETag?: boolean;
  /** It compares If-Match with the ETag of the object. */
  takesIfMatch?: boolean;
  /** Its answer names what it created in Location. */
  hasLocation?: boolean;
  /** It also takes an ID token of the identity provider, and then no body. */
  takesBearer?: boolean;
  /** Statuses of errors that do not follow from the route (openapi/error-statuses.ts). */
  errors?: number[];
}

/** The metadata of a route that describes its operation. */
export const API_OPERATION = 'apiOperation';

/** Describes a route in `GET /api/v2/openapi.json`. */
export const ApiOperation = (description: OperationDescription): MethodDecorator =>
  SetMetadata(API_OPERATION, description);
