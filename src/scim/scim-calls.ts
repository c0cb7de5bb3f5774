import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../base/errors/api-errors.js';
import { Config } from '../base/config/config.js';
import { scimBodyOf } from '../base/errors/scim-body.js';
import { toApiError } from '../base/errors/to-api-error.js';
import { stateOf } from '../http/request-state.js';
import { SCIM_TYPE } from '../http/route-facts.js';
import { requireCaller } from '../security/caller.js';
import { requirePermissions } from '../security/permission.guard.js';
import { runBulk } from './bulk.js';
import type { Kind } from './objects.js';
import { ScimObjects } from './objects.service.js';
import { memberOf } from './patch.js';
import { type Provider, ScimProviders } from './providers.service.js';
import {
  contextOf,
  listQuery,
  namesIn,
  parameterOf,
  type ScimAnswer,
  type ScimCall,
} from './scim-call.js';

type Json = Record<string, unknown>;

/** The object of a call, and its body. */
interface Target {
  kind: Kind;
  id?: string;
  body?: unknown;
}

/** Answers the calls of providers over HTTP, and logs each with its answer. */
@Injectable()
export class ScimCalls {
  constructor(
    private readonly objects: ScimObjects,
    private readonly providers: ScimProviders,
    private readonly config: Config,
  ) {}

  list(response: Response, kind: Kind): Promise<Json> {
    return this.logged(response, undefined, (provider, { shown }) =>
      this.objects.list(
        provider,
        [kind],
        listQuery((name) => parameterOf(response.req, name)),
        shown,
      ),
    );
  }

  /** A list whose query is a body (RFC 7644 section 3.4.3). */
  search(response: Response, kinds: Kind[], body: unknown): Promise<Json> {
    return this.logged(response, body, async (provider, { shown }) => {
      const text = (name: string): string | undefined => {
        const value = memberOf(body, name.toLowerCase());
        return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
      };
      const wanted = {
        ...shown,
        attributes: namesIn(memberOf(body, 'attributes')),
        excluded: namesIn(memberOf(body, 'excludedattributes')),
      };
      return this.objects.list(provider, kinds, listQuery(text), wanted);
    });
  }

  get(response: Response, target: Target): Promise<Json | undefined> {
    return this.logged(response, undefined, async (provider, context) => {
      const call = { ...context, ...target, method: 'GET' };
      const { body, version } = await this.objects.get(provider, call);
      if (context.ifNoneMatch?.split(',').some((tag) => tag.trim() === version))
        response.status(304);
      response.setHeader('ETag', version);
      return body;
    });
  }

  write(response: Response, target: Target): Promise<Json | undefined> {
    return this.logged(response, target.body, async (provider, context) => {
      const { method } = response.req;
      const call = { ...context, ...target, method };
      const { status, body, location, version } = await this.objects.write(provider, call);
      response.status(status);
      if (status === 201) response.setHeader('Location', location!);
      if (version !== undefined) response.setHeader('ETag', version);
      return body;
    });
  }

  bulk(response: Response, body: unknown): Promise<Json> {
    const { req: request } = response;
    return this.logged(response, body, (_, context) => {
      // A bulk takes long: its key may be revoked, its provider deactivated or switched to a dry run, before the last operation.
      // What has ended once has ended for the rest: each further check would be a failed sign-in of the address.
      let ended: ApiError | undefined;
      const run = async (call: ScimCall): Promise<ScimAnswer> => {
        if (ended) throw ended;
        const provider = await this.providerAgain(request).catch((error: unknown) => {
          throw (ended = toApiError(error));
        });
        return this.objects.write(provider, { ...call, caller: requireCaller(request) });
      };
      return runBulk(body, context, run);
    });
  }

  /** The provider of a call that has begun, whose key, permission or provider may have ended. @throws ApiError 401, 403 */
  private async providerAgain(request: Request): Promise<Provider> {
    await stateOf(request).checkAgain?.();
    const caller = requireCaller(request);
    requirePermissions(caller, ['scim:provision']);
    return this.providers.providerOf(caller);
  }

  /** The address of `/scim/v2`, as the caller knows it. */
  private baseOf(request: Request): string {
    const { PUBLIC_URL, BASE_PATH } = this.config.env;
    const origin = PUBLIC_URL ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`;
    return `${origin}${BASE_PATH}/scim/v2`;
  }

  /** Answers in the type of SCIM, and logs what was asked and answered. */
  async logged<T extends Json | undefined>(
    response: Response,
    body: unknown,
    work: (provider: Provider, context: ReturnType<typeof contextOf>) => Promise<T>,
  ): Promise<T> {
    const context = contextOf(response.req, this.baseOf(response.req));
    const provider = await this.providers.providerOf(context.caller);
    const { method, url } = response.req;
    const log = (status: number, answer: unknown): Promise<void> =>
      this.providers.log(provider, { method, path: url, status, body, answer });
    let answer: T;
    try {
      answer = await work(provider, context);
    } catch (error) {
      const failure = toApiError(error);
      await log(failure.status, scimBodyOf(failure));
      throw error;
    }
    await log(response.statusCode, answer);
    if (response.statusCode === 304) return undefined as T;
    if (answer !== undefined) response.setHeader('Content-Type', `${SCIM_TYPE}; charset=utf-8`);
    return answer;
  }
}
