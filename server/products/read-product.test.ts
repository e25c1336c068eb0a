import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'
import { testRead } from '../../testing/resources/read.ts'

testRead(await openResourceFixture(products))
