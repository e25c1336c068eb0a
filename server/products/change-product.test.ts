import { testChange } from '../testing/resources/change.ts'
import { openFixture } from '../testing/resources/fixture.ts'
import { products } from '../testing/resources/products.ts'

testChange(await openFixture(products))
