import { Controller, Delete, Get, HttpCode, Param, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { forbidden, invalidField, notFound } from '../errors/refusals.js';
import { Produces } from '../negotiation/content.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { Origin } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { answerPicture } from './answer-picture.js';
import { PhotosService } from './photos.service.js';
import { users } from './user.resource.js';

/** A user's photo: JPEG, PNG or WebP in, always WebP out. */
@Controller('api/v2/directory/users/:id/photo')
export class PhotoController {
  constructor(
    private readonly photos: PhotosService,
    private readonly reader: ResourceReader,
  ) {}

  @Get()
  @Produces('image/webp')
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.get(users, caller, id);
    const photo = await this.photos.find(id);
    if (!photo) throw notFound();
    answerPicture(request, response, photo);
  }

  @Put()
  @HttpCode(204)
  async store(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<void> {
    await this.requireWritable(caller, id);
    if (!Buffer.isBuffer(request.body) || request.body.length === 0)
      throw invalidField('body', 'is empty');
    await this.photos.store(id, request.body, origin);
  }

  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
  ): Promise<void> {
    await this.requireWritable(caller, id);
    await this.photos.delete(id, origin);
  }

  private async requireWritable(caller: Caller, id: string): Promise<void> {
    await this.reader.get(users, caller, id);
    if (caller.id !== id && !caller.administrator) throw forbidden();
  }
}
