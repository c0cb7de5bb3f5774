import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import passport, { type Strategy } from 'passport';
import { hasBody } from '../http/body-parser.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BearerStrategy, presentsBearer } from './bearer.strategy.js';
import { CredentialsDto } from './credentials.dto.js';
import { PasskeyStrategy } from './passkey.strategy.js';
import { PasswordStrategy } from './password.strategy.js';
import { ProofBodyPipe } from './proof-body.pipe.js';

/**
 * Authenticates a sign-in by the first strategy that recognises the credential
 * (docs/api-contract.md#sign-in). Guards run before pipes, so this guard validates the body itself: the
 * strategies find a `CredentialsDto` or a `PasskeyDto` in `request.body`.
 */
@Injectable()
export class CredentialsGuard extends AuthGuard() {
  private readonly bodyPipe = new ProofBodyPipe(CredentialsDto);

  constructor(
    bearer: BearerStrategy,
    passkey: PasskeyStrategy,
    apiKey: ApiKeyStrategy,
    password: PasswordStrategy,
  ) {
    super({ defaultStrategy: [bearer, passkey, apiKey, password].map(register) });
  }

  /** @throws ApiError 400 naming every invalid field of the body, 401, 429, 503 */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!presentsBearer(request)) {
      const body: unknown = hasBody(request) ? request.body : {};
      request.body = await this.bodyPipe.transform(body);
    }
    return (await super.canActivate(context)) as boolean;
  }
}

let registered = 0;

/**
 * Registers a strategy under a unique name. Passport has one registry per process, and `PassportStrategy`
 * uses the same names in every application: an application that starts later would take over the sign-ins
 * of the others.
 */
function register(strategy: Strategy): string {
  const name = `${strategy.constructor.name} ${++registered}`;
  passport.use(name, strategy);
  return name;
}
