import { SetMetadata } from '@nestjs/common';
import type { Resource } from '../resource.js';
import type { Component, Json, Schema } from './component.js';

/** The facts about an operation that the route's own decorators do not state (resources/openapi/route.ts). */
export interface OperationDescription {
  /** Verb and noun in camelCase, e.g. `listUsers`; generated clients name their method after it. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Query and header parameters; those of the path follow from the route. */
  parameters?: (Json | Component)[];
  /** Schema of the body, unless it is a `@Body(FixedBodyPipe)`, whose class describes it. */
  body?: Schema;
  /** Schema of a line of the body, for a route that also accepts a stream (http/route-facts.ts). */
  bodyLine?: Schema;
  /** Schema of the body on success; without one the answer has no body. */
  answer?: Schema;
  /** Media type of the answer; JSON by default. */
  answerType?: string;
  /** The schemas of further media types, among which the Accept header chooses. */
  otherAnswers?: Record<string, Schema>;
  /** The resource of the page in its answer, instead of `answer`. */
  lists?: Resource;
  /** It answers a page of a list that takes no parameter but `range`. */
  isPaged?: boolean;
  /** Its answer has an ETag; a GET of a picture or a file then also answers 304 to If-None-Match. */
  hasETag?: boolean;
  /** It compares If-Match and If-None-Match with the object's ETag. */
  isConditional?: boolean;
  /** Its answer names the created object in Location. */
  hasLocation?: boolean;
  /** The description of its answer's X-Warning header; undefined when it never has one. */
  warning?: string;
  /** Its answer can set or delete the cookie of a browser session. */
  setsCookie?: boolean;
  /** The cookie of a browser session replaces the token. */
  takesCookie?: boolean;
  /** Its answer names the preferences that it applied; lists always do. */
  appliesPreference?: boolean;
  /** It also accepts an ID token of the identity provider instead of a body. */
  takesBearer?: boolean;
  /** The body of its 400 where that is not the usual one, which it may have too. */
  badRequest?: Schema;
  /** Error statuses that do not follow from the route (resources/openapi/error-statuses.ts). */
  errors?: number[];
}

/** Metadata key of a route's description. */
export const API_OPERATION = 'apiOperation';

/** Describes a route in `GET /api/v2/openapi.json`. */
export const ApiOperation = (description: OperationDescription): MethodDecorator =>
  SetMetadata(API_OPERATION, description);
