import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Database } from '../../database/database.js';
import { conflict } from '../../base/errors/api-errors.js';
import { directoryOf } from './directory-passwords.service.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { reason } from '../../base/errors/reason.js';

/**
 * Whether people sign in with passwords. A server parameter switches that off for all users except sysadmin, who must
 * get in while the identity provider does not work (docs/identity-providers.md#without-passwords).
 */
@Injectable()
export class PasswordSignIn {
  private readonly logger = new Logger(PasswordSignIn.name);

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly parameters: ParametersService,
  ) {}

  async isOn(): Promise<boolean> {
    return (await this.parameters.current()).flag('passwordSignIn');
  }

  /** Warns at the start where people have no way to sign in: passwords are off, and no provider is configured. */
  async warnWithoutProvider(): Promise<void> {
    if (this.config.env.OIDC_ISSUER !== undefined || (await this.isOn())) return;
    this.logger.warn(
      'only sysadmin can sign in: passwords are switched off and no identity provider is configured; set OIDC_ISSUER and OIDC_AUDIENCE, or run: npx process-platform parameters set security.Password.signIn true',
    );
  }

  /**
   * Rejects calls about passwords while passwords are switched off, except calls about sysadmin.
   * @throws ApiError 409
   */
  async require(userId?: string): Promise<void> {
    if (await this.isOn()) return;
    const [sysadmin] = await this.database.query({
      text: 'SELECT 1 FROM users WHERE id = $1 AND sysadmin',
      values: [userId ?? null],
    });
    if (!sysadmin) throw conflict(reason('passwords-off'));
  }

  /**
   * Rejects a new password also for people whose directory checks it.
   * @throws ApiError 409
   */
  async requireStored(userId?: string): Promise<void> {
    await this.require(userId);
    if (userId === undefined) return;
    const [person] = await this.database.query({
      text: `SELECT 1 FROM users u WHERE u.id = $1 AND ${directoryOf('u')} IS NOT NULL`,
      values: [userId],
    });
    if (person) throw conflict(reason('directory-password'));
  }
}
