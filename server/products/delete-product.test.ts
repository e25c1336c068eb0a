import { testDelete } from '../../testing/resources/delete.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

testDelete(await openResourceFixture(products))
