import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about products, in the order in which the help prints them. */
export const productCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'product image',
    about:
      'Sets the image of a product, or removes it. Payment pages show it for payments that start afterwards.',
    example: 'vezne product image 10000000000077 coffee.jpg',
    load: async () => (await import('./image-command.ts')).productImageCommand,
  },
]
