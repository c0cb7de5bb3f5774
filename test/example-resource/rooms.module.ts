import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ResourcesModule } from '../../src/resources/resources.module.js';
import { Room } from './room.entity.js';
import { RoomsController } from './rooms.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Room]), ResourcesModule],
  controllers: [RoomsController],
})
export class RoomsModule {}
