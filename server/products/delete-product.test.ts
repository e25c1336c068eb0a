import { testDelete } from '../testing/resources/delete.ts'
import { openFixture } from '../testing/resources/fixture.ts'
import { products } from '../testing/resources/products.ts'

testDelete(await openFixture(products))
