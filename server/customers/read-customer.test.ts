import { customers } from '../../testing/resources/customers.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { testRead } from '../../testing/resources/read.ts'

testRead(await openResourceFixture(customers))
