import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../mail/mail.module.js';
import { ResourcesModule } from '../../resources/resources.module.js';
import { SecurityModule } from '../../security/security.module.js';
import { DigestService } from './digest.service.js';
import { MailSettings } from './mail-settings.entity.js';
import { MailSettingsController } from './mail-settings.controller.js';
import { MailSettingsService } from './mail-settings.service.js';
import { RemindersService } from './reminders.service.js';
import { Rounds } from './rounds.service.js';
import { StopLinks } from './stop-links.service.js';
import { StopMailsController } from './stop-mails.controller.js';

/** Mails about tasks: the daily digest, reminders, and who gets them. */
@Module({
  imports: [TypeOrmModule.forFeature([MailSettings]), MailModule, ResourcesModule, SecurityModule],
  controllers: [MailSettingsController, StopMailsController],
  providers: [DigestService, MailSettingsService, RemindersService, Rounds, StopLinks],
})
export class RemindersModule {}
