import { testChange } from '../../testing/resources/change.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

testChange(await openResourceFixture(products))
