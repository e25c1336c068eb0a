import { customers } from '../testing/resources/customers.ts'
import { openFixture } from '../testing/resources/fixture.ts'
import { testRead } from '../testing/resources/read.ts'

testRead(await openFixture(customers))
